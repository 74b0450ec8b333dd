import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'

const { ip } = given.stranger()
const ask = (path: string, language = 'en') =>
  fetch(app.baseUrl + path, { headers: { 'X-Forwarded-For': ip, 'Accept-Language': language } })

describe('the addresses that alerts link to, until the app answers them', () => {
  test('name the place in the API that shows the same, in the language of the reader', async () => {
    const id = randomUUID()
    for (const kind of ['incidents', 'monitors'])
      for (const [language, title] of [
        ['en-GB', kind === 'incidents' ? 'Incident' : 'Monitor'],
        ['de-AT', kind === 'incidents' ? 'Störung' : 'Monitor'],
      ] as const) {
        const answer = await ask(`/app/${kind}/${id}`, language)
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
        const html = await answer.text()
        expect(html).toContain(`<h1>${title}</h1>`)
        expect(html).toContain(`GET ${app.services.config.baseUrl}/api/v1/${kind}/${id}<`)
      }
  })

  test('answer any other path below /app as well, and repeat nothing of it', async () => {
    for (const path of [
      '/app',
      '/app/',
      '/app/incidents',
      '/app/incidents/%3Cscript%3E',
      `/app/incidents/${randomUUID()}/x`,
      '/app/"><b>',
    ]) {
      const answer = await ask(path)
      expect([path, answer.status]).toEqual([path, 200])
      const html = await answer.text()
      expect(html).not.toMatch(/<script>|<b>|%3C/)
    }
    expect((await ask('/apple')).status).toBe(404)
  })
})
