import { expect, test } from 'vitest'
import { given } from '#test/support/app.ts'
import { hostileTexts, path } from './pages.ts'

test('a text is previewed as the page shows it', async () => {
  const team = await given.tenant()
  const preview = (text: string) => team.post(`${path}/preview-text`, { text })
  expect((await preview('**Now** [here](https://example.com/)')).body.data.html).toMatch(
    /^<p><strong>Now<\/strong> <a href="https:\/\/example\.com\/"[^>]*>here<\/a><\/p>$/,
  )
  for (const text of [...hostileTexts, '[x](javascript:alert(1))', '<javascript:alert(1)>'])
    expect((await preview(text)).body.data.html, text).not.toMatch(/<(?!\/?(p|em|strong|code|br)\b)|href="javascript/)
  expect((await preview('x'.repeat(20_000))).status).toBe(200)
  expect((await preview('x'.repeat(20_001))).status).toBe(422)
})
