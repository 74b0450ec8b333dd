import type { Page } from 'playwright-core'

/** How a page is displayed. */
export interface Display {
  colorScheme: 'light' | 'dark'
  /** Of the window, in pixels. */
  width: number
}

const all = (['light', 'dark'] as const).flatMap(colorScheme =>
  [1280, 360].map((width): Display => ({ colorScheme, width })),
)

/**
 * The two displays that a page in a language is examined on: English in a narrow light and a wide dark window, German
 * in a wide light and a narrow dark one. Of the eight ways to combine language, colours and width these four have each
 * value beside each value of the other two. `EVERY_DISPLAY=1`: all eight.
 */
export function displaysIn(language: 'en' | 'de'): Display[] {
  if (process.env.EVERY_DISPLAY === '1') return all
  const darkWidth = language === 'de' ? 360 : 1280
  return all.filter(({ colorScheme, width }) => (colorScheme === 'dark') === (width === darkWidth))
}

/** Displays an open page so: nothing is loaded again. */
export async function show(page: Page, { colorScheme, width }: Display): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
}
