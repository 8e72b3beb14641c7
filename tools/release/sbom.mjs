/**
 * Writes the list of shipped parts (CycloneDX) to stdout: `npm sbom` without development packages, but with those that
 * the build in `dist` has bundled or copied fonts from. The time is SOURCE_DATE_EPOCH, so that the same sources give
 * the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync('dist/assets/manifest.json', 'utf8'));
const BUNDLED = new Set(
  [...packages, 'node_modules/dejavu-fonts-ttf'].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    return `${name}@${version}`;
  }),
);

const listing = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx'], {
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
});
const { serialNumber, ...document } = JSON.parse(listing);
document.metadata.timestamp = new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toISOString();

document.components = document.components.filter(isShipped);
const shipped = new Set([document.metadata.component, ...document.components].map(referenceOf));
document.dependencies = document.dependencies
  .filter(({ ref }) => shipped.has(ref))
  .map(({ ref, dependsOn = [] }) => ({
    ref,
    dependsOn: dependsOn.filter((to) => shipped.has(to)),
  }));
process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);

function isShipped({ name, version, properties = [] }) {
  const isDevelopment = properties.some((one) => one.name === 'cdx:npm:package:development');
  return !isDevelopment || BUNDLED.has(`${name}@${version}`);
}

function referenceOf(component) {
  return component['bom-ref'];
}
