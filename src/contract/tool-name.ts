// What is a tool called, and which names does every provider take?

/** A name that all providers accept. */
export const isPortableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name);

/** `ReadFiles` is `read_files`, `parseHTMLPage` is `parse_html_page`. */
export const toSnakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
