import { expect, test } from 'vitest'
import { ownPath } from '#control-plane/identity/pages/safe-redirect.ts'

test('a path of our own is kept with its query and fragment', () => {
  for (const path of ['/', '/account', '/app/monitors?page=2&x=%2F%2F#top', '/a//b', '/ü'.normalize()])
    expect(ownPath(path), path).toBe(new URL(path, 'http://x').href.slice('http://x'.length))
})

test('what a browser takes for another site, or for no path, is refused', () => {
  const wrong = [
    '',
    'account',
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/a\\b',
    '/a\r\nSet-Cookie: a=b',
    '/\u0000',
    '/\u2028',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e%2e//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '@evil.example',
    '?next=//evil',
    `/${'a'.repeat(2_000)}`,
  ]
  for (const path of wrong) expect(ownPath(path), JSON.stringify(path)).toBeNull()
  expect([ownPath(null), ownPath(undefined)]).toEqual([null, null])
})
