import type { Locator, Page } from 'playwright-core'

/** More than any page of ours has stops. */
const mostStops = 150

/** A person without a pointer: what they do to a page they do by keys, each once its target has the focus. */
export class Keyboard {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Waits until it has the focus: an element that has just come may get it a moment later. */
  async focused(target: Locator): Promise<void> {
    await target.and(this.#page.locator(':focus')).waitFor()
  }

  /** Presses Tab until the target has the focus. */
  async to(target: Locator): Promise<void> {
    await target.waitFor()
    const focused = target.and(this.#page.locator(':focus'))
    for (let stops = 0; stops < mostStops; stops++) {
      if ((await focused.count()) > 0) return
      await this.#page.keyboard.press('Tab')
    }
    const where = await this.#page.evaluate('document.activeElement?.outerHTML.slice(0, 160)')
    throw new Error(`Tab does not lead to ${target}: the focus is on ${where}.`)
  }

  /** Goes to a button or a link, and presses it. */
  async press(target: Locator): Promise<void> {
    await this.to(target)
    await this.#page.keyboard.press('Enter')
  }

  /** Goes to a checkbox, and ticks it or takes the tick away. */
  async tick(target: Locator): Promise<void> {
    await this.to(target)
    await this.#page.keyboard.press(' ')
  }

  /** Goes to a field, and writes into it in place of what stands there. */
  async write(field: Locator, text: string): Promise<void> {
    await this.to(field)
    await this.#page.keyboard.press('Control+A')
    await this.#page.keyboard.type(text)
  }

  /** Goes to a field with choices, opens it, and takes one by the arrows. */
  async choose(field: Locator, choice: string): Promise<void> {
    const { keyboard } = this.#page
    await this.press(field)
    const options = this.#page.getByRole('option')
    await this.focused(options)
    const names = (await options.allTextContents()).map(name => name.trim())
    await keyboard.press('Home')
    for (const [place, name] of names.entries()) {
      await this.focused(options.nth(place))
      if (name.startsWith(choice)) break
      await keyboard.press('ArrowDown')
    }
    await keyboard.press('Enter')
    await this.focused(field)
  }
}
