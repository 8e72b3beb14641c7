/** Saves the chart as PNG, for reports: drawn by this browser from the picture that the service has. */

/** Twice the size at which a page shows it: for paper. */
const SCALE = 2;

export function enhancePng(root: ParentNode): void {
  const button = root.querySelector<HTMLButtonElement>('button.save-png');
  const link = button?.parentElement?.querySelector<HTMLAnchorElement>('a[download]');
  if (!button || !link) return;
  button.hidden = false;
  button.addEventListener(
    'click',
    () => void save(link.href, button.dataset['name'] ?? 'chart.png'),
  );
}

async function save(address: string, name: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) return;
  const image = new Image();
  // The policy of the page lets it show what is in its own address, and nothing that a script has made.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await response.text())}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (png === null) return;
  const saved = document.createElement('a');
  saved.href = URL.createObjectURL(png);
  saved.download = name;
  saved.click();
  setTimeout(() => {
    URL.revokeObjectURL(saved.href);
  }, 10_000);
}
