# fragshark in a small image, without root:
#
#   docker build -t fragshark .
#   docker run --rm -v "$PWD:/captures" fragshark decode match.pcapng
#   docker run --rm --network host --cap-add NET_RAW --user root fragshark capture -i eth0
#
# CI runs these steps as a script (.ci/dockerfile), with a program that it has built before.

FROM rust:1-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev
WORKDIR /source
COPY . .
RUN cargo build --locked --profile dist

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends libpcap0.8 && rm -rf /var/lib/apt/lists/*
COPY --from=build /source/target/dist/fragshark /usr/local/bin/fragshark
USER nobody
WORKDIR /captures
ENTRYPOINT ["fragshark"]
CMD ["--help"]
