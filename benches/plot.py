"""A plot of several panels as SVG, on logarithmic axes, readable on light and on dark pages."""
import math
from html import escape

PANEL, LEFT, TOP, GAP = (390, 250), 70, 74, (96, 88)
# Of each line, on a light page and on a dark one.
COLOURS = [("#0a5c99", "#58a6ff"), ("#116329", "#3fb950"), ("#8250df", "#bc8cff"),
           ("#bc4c00", "#f0883e")]
STYLE = """text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.page { fill: #ffffff } .grid { stroke: #d1d9e0 } .limit { stroke: #59636e; stroke-dasharray: 5 4 }
.title { font-weight: bold } .small { font-size: 11px }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .page { fill: #0d1117 } .grid { stroke: #3d444d } .limit { stroke: #9198a1 }
DARK}
"""


def svg(title, panels, names):
    """A drawing of panels, two in a row. A panel is a dict: `title`, `x` and `y` (the labels of its
    axes), `lines` (for each name, points of x and y), and `limit`, a value of y and its text, or
    nothing."""
    width = LEFT + 2 * PANEL[0] + GAP[0] + 30
    rows = (len(panels) + 1) // 2
    height = TOP + rows * (PANEL[1] + GAP[1])
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
             f"<title>{escape(title)}</title>", f"<style>{style()}</style>",
             f'<rect class="page" width="{width}" height="{height}" rx="8"/>']
    at = LEFT
    for number, name in enumerate(names):
        parts.append(f'<path class="line{number}" d="M{at} 26h24"/>')
        parts.append(f'<text x="{at + 30}" y="30">{escape(name)}</text>')
        at += 60 + 7 * len(name)
    for number, panel in enumerate(panels):
        x = LEFT + number % 2 * (PANEL[0] + GAP[0])
        y = TOP + number // 2 * (PANEL[1] + GAP[1])
        parts.append(f'<g transform="translate({x} {y})">')
        parts += drawn(panel, names)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def style():
    light = "".join(f".line{n} {{ stroke: {light}; fill: none; stroke-width: 2 }}\n"
                    f".point{n} {{ fill: {light} }}\n" for n, (light, _) in enumerate(COLOURS))
    dark = "".join(f".line{n} {{ stroke: {dark} }} .point{n} {{ fill: {dark} }}\n"
                   for n, (_, dark) in enumerate(COLOURS))
    return light + STYLE.replace("DARK", dark)


def drawn(panel, names):
    """The grid, the labels, the limit and the lines of a panel."""
    points = [point for name in names for point in panel["lines"][name]]
    across = Axis([x for x, _ in points], PANEL[0])
    limit = [panel["limit"][0]] if panel["limit"] else []
    up = Axis([y for _, y in points] + limit, PANEL[1])
    parts = [f'<text class="title" x="0" y="-12">{escape(panel["title"])}</text>',
             f'<text x="{PANEL[0] / 2}" y="{PANEL[1] + 40}" text-anchor="middle">'
             f'{escape(panel["x"])}</text>',
             f'<text transform="translate(-52 {PANEL[1] / 2}) rotate(-90)" text-anchor="middle">'
             f'{escape(panel["y"])}</text>']
    for value in across.marks():
        x = across.at(value)
        parts.append(f'<path class="grid" d="M{x:.1f} 0V{PANEL[1]}"/>')
        parts.append(f'<text class="small" x="{x:.1f}" y="{PANEL[1] + 18}" text-anchor="middle">'
                     f'{short(value)}</text>')
    for value in up.marks():
        y = PANEL[1] - up.at(value)
        parts.append(f'<path class="grid" d="M0 {y:.1f}H{PANEL[0]}"/>')
        parts.append(f'<text class="small" x="-8" y="{y + 4:.1f}" text-anchor="end">'
                     f'{short(value)}</text>')
    if panel["limit"]:
        value, text = panel["limit"]
        y = PANEL[1] - up.at(value)
        parts.append(f'<path class="limit" d="M0 {y:.1f}H{PANEL[0]}"/>')
        parts.append(f'<text class="small" x="4" y="{y - 5:.1f}">{escape(text)}</text>')
    for number, name in enumerate(names):
        spots = [(across.at(x), PANEL[1] - up.at(y)) for x, y in panel["lines"][name]]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
        parts.append(f'<path class="line{number}" d="M{path}"/>')
        parts += [f'<circle class="point{number}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>'
                  for x, y in spots]
    return parts


class Axis:
    """A logarithmic axis, from the power of ten below the least value to that above the largest."""

    def __init__(self, values, length):
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(self.low + 1, math.ceil(math.log10(max(values)) - 1e-9))
        self.length = length

    def at(self, value):
        return (math.log10(value) - self.low) / (self.high - self.low) * self.length

    def marks(self):
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def short(value):
    """`0.01`, `10`, `100 k`, `10 M`."""
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if value >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:g}"
