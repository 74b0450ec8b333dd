import { z } from 'zod'
import { number, records, text, texts } from '#importers/shapes.ts'

/*
 * The relabelling of Prometheus, as far as it says which target is probed with which module. Patterns of others are
 * not run as regular expressions: those that only split, frame or compare a text are read, all others are said to be
 * unread.
 */

export type Labels = Record<string, string>

const Rule = z.object({
  action: text(20).prefault(null),
  source_labels: texts.prefault([]),
  separator: text(20).prefault(null),
  regex: text(500).prefault(null),
  target_label: text(200).prefault(null),
  replacement: text(500).prefault(null),
  modulus: number.prefault(null),
})
type Rule = z.output<typeof Rule>

const longestValue = 2_048
const mostRules = 50

export interface Relabelled {
  /** null: it is no target. */
  labels: Labels | null
  /** Rules that could not be applied. */
  unread: string[]
}

/** The labels of a target after the rules of its job. */
export function relabel(labels: Labels, found: unknown): Relabelled {
  const unread: string[] = []
  let now: Labels = { ...labels }
  for (const rule of records.parse(found).slice(0, mostRules)) {
    const next = applied(now, Rule.parse(rule))
    if (next === undefined) unread.push(describe(Rule.parse(rule)))
    else if (next === null) return { labels: null, unread }
    else now = next
  }
  return { labels: now, unread }
}

/** The labels after a rule; null: the target is dropped; undefined: the rule is not understood. */
function applied(labels: Labels, rule: Rule): Labels | null | undefined {
  const value = rule.source_labels
    .map(name => labels[name] ?? '')
    .join(rule.separator ?? ';')
    .slice(0, longestValue)
  const pattern = patternOf(rule.regex ?? '(.*)')
  if (pattern === null) return undefined
  const groups = pattern(value)
  switch ((rule.action ?? 'replace').toLowerCase()) {
    case 'replace': {
      if (groups === null || rule.target_label === null) return labels
      const target = filled(rule.target_label, groups)
      const replaced = filled(rule.replacement ?? '$1', groups).slice(0, longestValue)
      return { ...labels, [target]: replaced }
    }
    case 'keep':
      return groups === null ? null : labels
    case 'drop':
      return groups === null ? labels : null
    case 'keepequal':
      return value === (labels[rule.target_label ?? ''] ?? '') ? labels : null
    case 'dropequal':
      return value === (labels[rule.target_label ?? ''] ?? '') ? null : labels
    case 'lowercase':
      return { ...labels, [rule.target_label ?? '']: value.toLowerCase() }
    case 'uppercase':
      return { ...labels, [rule.target_label ?? '']: value.toUpperCase() }
    // labels that begin with __ say what is probed, and these rules do not touch them
    case 'labelkeep':
    case 'labeldrop':
    case 'labelmap':
      return labels
    default:
      return undefined
  }
}

const describe = ({ action, regex, target_label }: Rule) =>
  [action ?? 'replace', regex, target_label && `to ${target_label}`].filter(Boolean).join(' ')

/** `$1` and `${1}` in a replacement. */
const filled = (written: string, groups: readonly string[]) =>
  written.replace(/\$(?:\{(\d)\}|(\d))/g, (_, braced?: string, plain?: string) => groups[Number(braced ?? plain)] ?? '')

type Pattern = (value: string) => string[] | null

const wildcard = /^(\()?(\.[*+]|\[\^([^\]\\])\][*+])(\))?/

/** A whole pattern such as `(.*)`, `https?` alternatives `a|b`, or `(.*);(.*)`; null: it is more than that. */
export function patternOf(regex: string): Pattern | null {
  const written = regex.replace(/^\^/, '').replace(/\$$/, '')
  const alternatives = /^\(?([^()]*\|[^()]*)\)?$/.exec(written)?.[1]?.split('|')
  if (alternatives) {
    const literals = alternatives.map(literalOf)
    if (literals.some(literal => literal === null)) return null
    return value => (literals.includes(value) ? [value, value] : null)
  }
  const parts: (string | { least: number; not: string | null; isGroup: boolean })[] = ['']
  for (let rest = written; rest !== ''; ) {
    const [whole, open, any, not = null, close] = wildcard.exec(rest) ?? []
    if (whole !== undefined && any !== undefined) {
      if (Boolean(open) !== Boolean(close)) return null
      parts.push({ least: any.endsWith('+') ? 1 : 0, not, isGroup: Boolean(open) }, '')
      rest = rest.slice(whole.length)
      continue
    }
    const [character] = /^(?:\\[^\w]|[^\\^$.*+?()[\]{}|])/.exec(rest) ?? []
    if (character === undefined) return null
    parts[parts.length - 1] += character.replace('\\', '')
    rest = rest.slice(character.length)
  }
  const literals = parts.filter(part => typeof part === 'string')
  const wildcards = parts.filter(part => typeof part !== 'string')
  if (wildcards.length === 0) return value => (value === literals[0] ? [value] : null)
  if (wildcards.length > 2) return null
  return value => matched(value, literals, wildcards)
}

function matched(
  value: string,
  [before = '', between = '', after = '']: readonly string[],
  wildcards: readonly { least: number; not: string | null; isGroup: boolean }[],
): string[] | null {
  const end = wildcards.length === 1 ? between : after
  if (value.length < before.length + end.length || !value.startsWith(before) || !value.endsWith(end)) return null
  const inner = value.slice(before.length, value.length - end.length)
  const texts = wildcards.length === 1 ? [inner] : splitAt(inner, between, wildcards[0]?.not ?? null)
  if (texts === null) return null
  const groups = [value]
  for (const [index, { least, not, isGroup }] of wildcards.entries()) {
    const found = texts[index] ?? ''
    if (found.length < least || (not !== null && found.includes(not))) return null
    if (isGroup) groups.push(found)
  }
  return groups
}

/** A first wildcard takes as much as it can. */
function splitAt(inner: string, between: string, not: string | null): string[] | null {
  if (between === '') return null
  const at = not === null ? inner.lastIndexOf(between) : inner.indexOf(between)
  return at < 0 ? null : [inner.slice(0, at), inner.slice(at + between.length)]
}

/** The text that a pattern is, where it is no more than a text; null: it is more. */
export function literalOf(pattern: string): string | null {
  if (!/^(?:\\[^\w]|[^\\^$.*+?()[\]{}|])*$/.test(pattern) || pattern.length > 500) return null
  return pattern.replace(/\\([^\w])/g, '$1')
}
