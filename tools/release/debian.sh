#!/usr/bin/env bash
# Makes a Debian package of a package of npm's, for the architecture of this machine:
# tools/release/debian.sh bura-0.1.0.tgz FOLDER
#
# The same files give the same bytes: times are those of SOURCE_DATE_EPOCH, by default of the last commit.
set -euo pipefail
shopt -s nullglob
umask 022
package=$(realpath "$1") folder=$(realpath "$2")
here=$(realpath "$(dirname "$0")") deploy=$(realpath "$(dirname "$0")/../../deploy")
version=$(node -p 'require("./package.json").version')-1
architecture=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

# put MODE SOURCE TARGET: a file, with its folders.
put() {
  install -D --mode="$1" "$2" "$root/$3"
}

# compress SOURCE TARGET: the same, compressed.
compress() {
  put 644 "$1" "$2"
  gzip --best --no-name "$root/$2"
}

library=usr/lib/bura
mkdir -p "$root/$library"
npm install --prefix "$root/$library" --ignore-scripts --no-save --no-package-lock --no-audit --no-fund "$package" >&2
node "$here/binaries.mjs" "$root/$library"
# Settings of other people's tools, and npm's own notes.
rm -f "$root/$library"/package*.json
find "$root/$library" -name '.*' -prune -exec rm -rf {} +
# Debian's C library is glibc.
find "$root/$library" -name '*.musl.node' -delete
find "$root/$library" -type d -exec chmod 755 {} +
find "$root/$library" -type f -exec chmod 644 {} +
command=$library/node_modules/bura/dist/cli.js
chmod 755 "$root/$command"
mkdir -p "$root/usr/bin"
ln -s "../lib/bura/node_modules/bura/dist/cli.js" "$root/usr/bin/bura"

put 644 "$deploy/systemd/bura.service" usr/lib/systemd/system/bura.service
put 644 "$deploy/systemd/bura@.service" usr/lib/systemd/system/bura@.service
put 755 "$deploy/systemd/bura-restart" usr/sbin/bura-restart
put 644 "$deploy/systemd/bura.env" etc/bura/bura.env
put 644 "$deploy/debian/bura.sysusers" usr/lib/sysusers.d/bura.conf
put 644 "$deploy/debian/bura.sysctl" usr/lib/sysctl.d/bura.conf
put 644 "$deploy/debian/lintian-overrides" usr/share/lintian/overrides/bura

documents=usr/share/doc/bura
# Side by side, so that links between them lead there.
mkdir -p "$root/$documents"
mv "$root/$library"/node_modules/bura/{docs,deploy,README.md} "$root/$documents/"
for page in man/*.1; do
  compress "$page" "usr/share/man/man1/$(basename "$page")"
done
for unit in "$deploy"/publish/*.{service,timer}; do
  put 644 "$unit" "usr/lib/systemd/system/$(basename "$unit")"
done
for script in "$deploy"/publish/*.sh; do
  put 755 "$script" "usr/share/bura/publish/$(basename "$script")"
done
compress CHANGELOG.md "$documents/changelog"
compress /dev/stdin "$documents/changelog.Debian" <<END
bura ($version) unstable; urgency=medium

  * The release of this version: see changelog.gz.

 -- $(sed -n 's/^Maintainer: //p' "$deploy/debian/control")  $(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")
END
node "$here/copyright.mjs" "$root/$library" "$deploy/debian/copyright" >"$root/$documents/copyright"

mkdir "$root/DEBIAN"
size=$(du --summarize --apparent-size --block-size=1024 --exclude=DEBIAN "$root" | cut -f 1)
sed "s/VERSION/$version/; s/ARCHITECTURE/$architecture/; s/SIZE/$size/" "$deploy/debian/control" >"$root/DEBIAN/control"
echo /etc/bura/bura.env >"$root/DEBIAN/conffiles"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort --zero-terminated | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
for script in postinst prerm postrm; do
  put 755 "$deploy/debian/$script" "DEBIAN/$script"
done
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group --build -Zxz "$root" "$folder/bura_${version}_$architecture.deb" >&2
