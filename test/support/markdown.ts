/** The `sh` blocks of a Markdown text, in order. */
export function shellBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

/** The part of a Markdown text under a heading of the second level, without the heading. */
export function section(markdown: string, heading: string): string {
  const part = markdown.split(/^## /m).find(text => text.startsWith(`${heading}\n`))
  if (part === undefined) throw new Error(`there is no heading "${heading}"`)
  return part.slice(heading.length)
}

/** Shell variables that a block uses and that neither it nor a block before it sets, each once. */
export function unsetVariables(blocks: readonly string[]): string[] {
  const isSet = new Set<string>()
  const unset = new Set<string>()
  for (const block of blocks) {
    for (const [, name = ''] of block.matchAll(/(?:^|[\s;&(])([A-Za-z_]\w*)=/g)) isSet.add(name)
    for (const [, name = ''] of block.matchAll(/\$\{?([A-Za-z_]\w*)/g)) if (!isSet.has(name)) unset.add(name)
  }
  return [...unset]
}

/** The targets of relative links of a Markdown text, each without its anchor. */
export function relativeLinks(markdown: string): string[] {
  const targets = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets.filter(target => !/^[a-z][a-z\d+.-]*:/i.test(target))
}

/** The anchors of a Markdown text's headings, as forges make them. */
export const anchors = (markdown: string): string[] =>
  [...markdown.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
