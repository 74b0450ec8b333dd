export type Place = Pick<URL, 'href' | 'hostname' | 'protocol'>

/** The worst first. */
export const problemCodes = [
  'missing',
  'unreachable',
  'not_a_sitemap',
  'doctype',
  'malformed',
  'broken_archive',
  'too_large',
  'too_many_entries',
  'nested_index',
  'child_unreachable',
  'empty',
  'broken_url',
  'blocked_url',
  'redirected_url',
  'bad_url',
  'foreign_url',
  'insecure_url',
  'lastmod_invalid',
  'lastmod_future',
] as const
export type ProblemCode = (typeof problemCodes)[number]

export interface Problem {
  code: ProblemCode
  count: number
  examples: string[]
}

/** Kept of each problem. */
export const maxExamples = 3

/** The problems of a sitemap, each code once, with a few examples. */
export class Problems {
  readonly #found = new Map<ProblemCode, Problem>()

  /** `count`: how many there are, if more than the examples. */
  add(code: ProblemCode, examples: string | readonly string[], count?: number): void {
    const shown = [examples].flat().map(text => text.slice(0, 300))
    const known = this.#found.get(code) ?? { code, count: 0, examples: [] }
    known.count += count ?? shown.length
    known.examples = [...known.examples, ...shown].slice(0, maxExamples)
    this.#found.set(code, known)
  }

  list(): Problem[] {
    return [...this.#found.values()].toSorted(
      (one, other) => problemCodes.indexOf(one.code) - problemCodes.indexOf(other.code),
    )
  }
}

const messages: Record<ProblemCode, string> = {
  missing: 'There is no sitemap.',
  unreachable: 'The sitemap cannot be had: the server fails.',
  not_a_sitemap: 'What is there is no sitemap.',
  doctype: 'The sitemap declares a document type, which it must not.',
  malformed: 'The sitemap is malformed XML.',
  broken_archive: 'The sitemap cannot be unpacked.',
  too_large: 'The sitemap is larger than 50 MB.',
  too_many_entries: 'The sitemap has more than 50,000 entries.',
  nested_index: 'An index of sitemaps names another index.',
  child_unreachable: 'Further sitemaps cannot be had',
  empty: 'The sitemap is empty.',
  broken_url: 'Addresses of the sitemap are broken',
  blocked_url: 'Addresses of the sitemap are not public',
  redirected_url: 'Addresses of the sitemap redirect elsewhere',
  bad_url: 'Entries of the sitemap have no address of use',
  foreign_url: 'Addresses of the sitemap are on another host',
  insecure_url: 'Addresses of the sitemap are http on an https site',
  lastmod_invalid: 'Dates of the sitemap are none',
  lastmod_future: 'Dates of the sitemap are in the future',
}

export function describe({ code, count, examples }: Problem): string {
  const text = messages[code]
  return text.endsWith('.') ? text : `${text}: ${count}, such as ${examples[0]?.slice(0, 120) ?? 'one'}.`
}
