import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalid } from '#control-plane/base/refusal.ts'
import { decodeCursor, encodeCursor } from './page.ts'

/** The scope of a list's cursors: this installation, one tenant, one order. */
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

/** A cursor with a signature, so that a changed cursor, or one of another tenant, is refused. */
export function signCursor(
  scope: CursorScope,
  key: string | number | null,
  id: string,
  direction: 'next' | 'prev',
): string {
  const cursor = encodeCursor(scope.sort, key, id, direction)
  return `${cursor}.${markOf(scope, cursor)}`
}

/** The position in a signed cursor; 422 on `cursor` for one that we did not make for this list. */
export function readCursor(scope: CursorScope, signed: string) {
  const [cursor = '', mark = '', ...more] = signed.split('.')
  const expected = Buffer.from(markOf(scope, cursor))
  const received = Buffer.from(mark)
  // compared as text: base64 has spare bits that a comparison of decoded bytes would ignore
  if (more.length > 0 || received.length !== expected.length || !timingSafeEqual(received, expected))
    throw invalid({ cursor: ['This cursor is not one of this list.'] }, 'bad_cursor')
  return decodeCursor(cursor, scope.sort)
}
