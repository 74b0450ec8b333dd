import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { openBrowser } from '#test/support/chromium.ts'
import { expectAccessible } from './accessible.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const each = ['light', 'dark'].flatMap(colorScheme =>
  ['en', 'de'].flatMap(language => [1280, 360].map(width => ({ colorScheme, language, width }))),
) as Parameters<typeof expectAccessible>[1][]

test.each(each)(
  'every document of a status page meets WCAG 2.2 AA: $colorScheme, $language, $width pixels wide',
  surroundings => expectAccessible(browser, surroundings),
  180_000,
)
