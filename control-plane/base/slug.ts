/** A name as a slug: its letters a to z and digits with single hyphens between; empty where it has none of them. */
export const slugOf = (name: string, most: number): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, most)
    .replace(/^-+|-+$/g, '')
