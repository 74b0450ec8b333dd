import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { openBrowser } from '#test/support/chromium.ts'
import { expectAccessible, type Surroundings } from './accessible.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const each = (['light', 'dark'] as const).flatMap(colorScheme =>
  (['en-GB', 'de-DE'] as const).flatMap(locale =>
    [1280, 360].map((width): Surroundings => ({ colorScheme, locale, width })),
  ),
)

test.each(each)(
  'every page of signing in meets WCAG 2.2 AA: $colorScheme, $locale, $width pixels wide',
  surroundings => expectAccessible(browser, surroundings),
  180_000,
)
