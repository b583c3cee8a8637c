/**
 * The text of llms.txt (https://llmstxt.org): what the README says in its first lines, and the pages
 * of the index of the documentation.
 */
export function llmsText(readme: string, index: string): string {
  const [title = '', summary = ''] = readme.split('\n\n');
  const sections = index
    .split(/^(?=## )/m)
    .slice(1)
    .map((section) => section.replaceAll(/\]\((?![a-z]+:)/g, '](docs/').replaceAll('docs/../', ''));
  return (
    [
      title,
      summary.replaceAll(/^/gm, '> '),
      '- [README](README.md): the four ways to use toolmend\n- [Skill](skills/write-toolmend-tools/SKILL.md): how to write a tool with toolmend, for coding agents',
      ...sections.map((section) => section.trim()),
      '',
    ]
      .join('\n\n')
      .trimEnd() + '\n'
  );
}
