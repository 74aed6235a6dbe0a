//! The contrast of two colours, as WCAG 2.2 defines it (contrast ratio, relative luminance).

/// From 1, no contrast, to 21, black and white.
pub fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(rgb: [u8; 3]) -> f64 {
    let [r, g, b] = rgb.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[test]
fn contrasts_are_those_of_wcag() {
    // The values of calculators on the web.
    for (a, b, expected) in [
        ([0; 3], [255; 3], 21.0),
        ([0x77; 3], [255; 3], 4.48),
        ([255, 0, 0], [255; 3], 4.0),
        ([0x83, 0x94, 0x96], [0x00, 0x2b, 0x36], 4.75),
    ] {
        assert!((contrast(a, b) - expected).abs() < 0.01, "{a:?} on {b:?}: {}", contrast(a, b));
        assert!((contrast(b, a) - contrast(a, b)).abs() < f64::EPSILON);
    }
}
