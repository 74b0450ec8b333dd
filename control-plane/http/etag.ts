import { hash } from 'node:crypto'
import { malformed } from '#control-plane/base/refusal.ts'

const digest = (text: string) => hash('sha1', text, 'base64url')

/** Weak: two answers that read alike may differ in their bytes once a proxy has packed them. */
export const etagOf = (text: string) => `W/"${digest(text)}"`

/**
 * `W/"<body>.<version>"` for one record that says when it was changed: its version survives what changes by itself, such as a status.
 * Any other answer is its own version.
 */
export function versionedEtagOf(text: string, answer: unknown): string {
  const version = versionOfRecord(answer)
  return version === undefined ? etagOf(text) : `W/"${digest(text)}.${version}"`
}

export function versionOfRecord(answer: unknown): string | undefined {
  const { id, updated_at } = (answer as { data?: { id?: unknown; updated_at?: unknown } } | undefined)?.data ?? {}
  return typeof id === 'string' && typeof updated_at === 'string'
    ? digest(`${id} ${updated_at}`).slice(0, 16)
    : undefined
}

const tag = /^(?:W\/)?"([\x21\x23-\x7e]*)"$/
const partsOf = (header: string) => header.split(',').map(part => part.trim())
const opaque = (text: string) => tag.exec(text)?.[1]
const versionIn = (text: string) => text.slice(text.lastIndexOf('.') + 1)

/** `If-None-Match`: whether the caller has this very answer. */
export const isKnown = (header: string, etag: string) =>
  header === etag || partsOf(header).some(part => part === '*' || opaque(part) === opaque(etag))

/** `If-Match`: whether the caller has seen this version of the record. What is no list of entity tags is a 400. */
export function isCurrent(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  const given = partsOf(header).map(opaque)
  if (given.includes(undefined)) throw malformed('If-Match is not a list of entity tags.')
  return given.some(text => text !== undefined && versionIn(text) === versionIn(opaque(etag) ?? ''))
}
