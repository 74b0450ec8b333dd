import { type JsonDocument, jsonDocuments } from '#control-plane/publishing/status-pages/render/statuspage-api.ts'

/** What of a page an address names. */
export type Target =
  | { kind: 'page' }
  | { kind: 'history' }
  | { kind: 'incident'; id: string }
  | { kind: 'json'; document: JsonDocument }
  | { kind: 'atom' | 'rss' | 'calendar' | 'badge' | 'picture' }
  | { kind: 'access' | 'subscribe' }

const incidentShape = /^\/incidents\/([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/
const fixed = new Map<string, Target>([
  ['', { kind: 'page' }],
  ['/', { kind: 'page' }],
  ['/history', { kind: 'history' }],
  ['/feed.atom', { kind: 'atom' }],
  ['/feed.rss', { kind: 'rss' }],
  ['/maintenance.ics', { kind: 'calendar' }],
  ['/badge.svg', { kind: 'badge' }],
  ['/og.png', { kind: 'picture' }],
  ['/access', { kind: 'access' }],
  ['/subscribe', { kind: 'subscribe' }],
  // widgets made for Statuspage have the second form
  ...jsonDocuments.flatMap((document): [string, Target][] =>
    ['/', '/api/v2/'].map(prefix => [`${prefix}${document}.json`, { kind: 'json', document }]),
  ),
])

/** Undefined: another part of the service may have this path. */
export function targetOf(path: string): Target | undefined {
  const known = fixed.get(path)
  if (known) return known
  const id = incidentShape.exec(path)?.[1]
  return id === undefined ? undefined : { kind: 'incident', id }
}
