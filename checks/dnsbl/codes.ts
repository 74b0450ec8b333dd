import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type BlockList, commonRefusals, type SubjectKind } from './lists.ts'

/** What the answer of a list means. `isPolicy`: the listing is of an address type, not of abuse. */
export type ListAnswer =
  | { code: 'clean' }
  | { code: 'listed'; answers: string[]; meaning: string; isPolicy: boolean }
  /** The list refused the query, or the answer cannot be a listing. */
  | { code: 'refused'; answers: string[]; meaning: string }

/** RFC 5782: a listing is an answer within 127/8, and each list defines the rest of it. */
export function readAnswers(list: BlockList, answers: readonly string[]): ListAnswer {
  if (answers.length === 0) return { code: 'clean' }
  const shown = answers.slice(0, 8)
  const invalid = answers.find(answer => !answer.startsWith('127.'))
  if (invalid !== undefined)
    return {
      code: 'refused',
      answers: shown,
      meaning: 'The list answered with an address that is no code: it may have been given up.',
    }
  const refusals: Readonly<Record<string, string>> = { ...commonRefusals, ...list.refusals }
  const refusal = answers.find(answer => refusals[answer] !== undefined || answer.startsWith('127.255.'))
  if (refusal !== undefined)
    return { code: 'refused', answers: shown, meaning: refusals[refusal] ?? 'The list refused to answer.' }
  const meanings = [...new Set(answers.flatMap(answer => meaningsOf(list, answer)))]
  return {
    code: 'listed',
    answers: shown,
    meaning: (meanings.length ? meanings.join('; ') : 'listed').slice(0, 300),
    isPolicy: answers.every(answer => list.policy?.includes(answer)),
  }
}

function meaningsOf({ codes, bits }: BlockList, answer: string): string[] {
  const number = Number(answer.slice(answer.lastIndexOf('.') + 1))
  if (bits) return Object.entries(bits).flatMap(([bit, meaning]) => (number & Number(bit) ? [meaning] : []))
  return codes?.[answer] === undefined ? [] : [codes[answer]]
}

export interface Subject {
  kind: SubjectKind
  text: string
}

export const subjectOf = (text: string): Subject => ({
  kind: isIP(text) === 4 ? 'ipv4' : isIP(text) === 6 ? 'ipv6' : 'domain',
  text,
})

/** The name to query: an address reversed by octets or nibbles, a domain as it is. */
export function questionOf({ kind, text }: Subject, zone: string): string {
  if (kind === 'domain') return `${text}.${zone}`
  if (kind === 'ipv4') return `${text.split('.').toReversed().join('.')}.${zone}`
  const nibbles = ipaddr
    .parse(text)
    .toByteArray()
    .flatMap(byte => [byte >> 4, byte & 15])
  return `${nibbles
    .toReversed()
    .map(nibble => nibble.toString(16))
    .join('.')}.${zone}`
}

/** Addresses that no working list contains (RFC 5782, section 5): a list that contains one lists everything. */
export const never: Readonly<Record<SubjectKind, Subject>> = {
  ipv4: { kind: 'ipv4', text: '127.0.0.1' },
  ipv6: { kind: 'ipv6', text: '::ffff:7f00:1' },
  domain: { kind: 'domain', text: 'invalid' },
}
