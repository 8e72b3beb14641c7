/** Buttons that copy: in the panel of a station, and beside code. */

/** Makes a button copy what is beside it: the text of a field, the absolute address of a link, or code. */
export function enhanceCopy(button: HTMLButtonElement): void {
  const field = button.parentElement?.querySelector('input');
  const link = button.parentElement?.querySelector('a');
  const code = button.closest('.code')?.querySelector('code');
  const text = field?.value ?? link?.href ?? code?.textContent;
  // Without TLS a browser has no clipboard for scripts.
  if (text === undefined || !isSecureContext) return;
  field?.addEventListener('focus', () => {
    field.select();
  });
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(text).then(() => {
      button.textContent = button.dataset['done'] ?? '';
      setTimeout(() => {
        button.textContent = label;
      }, 2000);
    });
  });
}
