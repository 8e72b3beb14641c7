/** Description lists for markdown-it; the package has no types. */
declare module 'markdown-it-deflist' {
  import type { MarkdownIt } from 'markdown-it';

  export default function deflist(markdown: MarkdownIt): void;
}
