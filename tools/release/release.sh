#!/usr/bin/env bash
# Makes what a release consists of, in out/: the package of npm's, the Debian package, the list of parts and their
# digests (docs/contributing.md, "Release"). npm run release
set -euo pipefail
cd "$(dirname "$0")/../.."
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

rm -rf out
mkdir out
npm pack --silent --pack-destination out
package=$(echo out/*.tgz)
tools/release/debian.sh "$package" out
node tools/release/sbom.mjs >"${package%.tgz}.cdx.json"
(cd out && sha256sum -- * >SHA256SUMS)
ls -l out
