import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalid } from '#control-plane/base/refusal.ts'
import { decodeCursor, encodeCursor } from './page.ts'

/** What a list's cursors are bound to: this installation, one tenant, one order. */
export interface CursorScope {
  secretKey: string
  tenantId: string
  sort: string
}

const markOf = ({ secretKey, tenantId }: CursorScope, cursor: string) =>
  createHmac('sha256', secretKey)
    .update(`cursor\0${tenantId}\0${cursor}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url')

/** A cursor with a mark, so that one that was changed, or made for another tenant, is told from ours. */
export function sealCursor(
  scope: CursorScope,
  key: string | number | null,
  id: string,
  direction: 'next' | 'prev',
): string {
  const cursor = encodeCursor(scope.sort, key, id, direction)
  return `${cursor}.${markOf(scope, cursor)}`
}

/** The place a sealed cursor names; a 422 on `cursor` for anything we did not make for this very list. */
export function openCursor(scope: CursorScope, sealed: string) {
  const [cursor = '', mark = '', ...more] = sealed.split('.')
  const expected = Buffer.from(markOf(scope, cursor))
  const given = Buffer.from(mark)
  // compared as text: base64 has spare bits that a comparison of bytes would not see
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw invalid({ cursor: ['This cursor is not one of this list.'] }, 'bad_cursor')
  return decodeCursor(cursor, scope.sort)
}
