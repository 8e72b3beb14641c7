/**
 * Writes the list of parts (CycloneDX) of what is shipped to stdout: what `npm sbom` says without what only development
 * needs, and with the packages whose bundle (`docs/dependencies.md, "Bundled parts"`) or fonts are shipped. The time is that of
 * SOURCE_DATE_EPOCH, so that the same sources give the same bytes.
 */
import { execFileSync } from 'node:child_process';

const BUNDLED = ['redoc', 'swagger-ui-dist', 'dejavu-fonts-ttf'];

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

function isShipped({ name, properties = [] }) {
  const isDevelopment = properties.some((one) => one.name === 'cdx:npm:package:development');
  return !isDevelopment || BUNDLED.includes(name);
}

function referenceOf(component) {
  return component['bom-ref'];
}
