import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { CallerUnderTest } from '#test/support/app.ts'

export const path = '/status-pages'

/** A body that creates a page, with a slug that no other test takes. */
export const newPage = (changes: Record<string, unknown> = {}) => ({
  name: 'Acme status',
  slug: `p-${randomUUID()}`,
  ...changes,
})

export async function aPage(of: CallerUnderTest, changes: Record<string, unknown> = {}, prefix = '') {
  const { status, body, text } = await of.post(prefix + path, newPage(changes))
  expect(status, text).toBe(201)
  return body.data
}

/** Creates something of a page, such as a component. */
export async function addTo(of: CallerUnderTest, place: string, body: unknown) {
  const answer = await of.post(`${path}/${place}`, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

export async function aMonitor(of: CallerUnderTest, changes: Record<string, unknown> = {}) {
  const answer = await of.post('/monitors', { name: 'Shop', url: 'https://example.com/', ...changes })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

/** Whether a notice is of what a page shows. One of a change of the page itself has its slug, and may arrive late. */
export const isOf = (page: string, notice: string): boolean => notice.includes(page) && !notice.includes('slug')

/** Strings that would be markup, code or another document if anything took them for more than text. */
export const hostileTexts = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</title><svg onload=alert(1)>',
  "'; drop table status_pages; --",
  '{{7*7}} {% include "x" %} <%= 7 * 7 %>',
  'javascript:alert(1)',
  '&lt;b&gt; &amp; <!-- -->',
  ']]><x xmlns:x="y"/>',
]
