import { createRequire } from 'node:module'
import type { Node } from './parts.ts'

/** What is used of fontkit, which has no types. */
interface Fontkit {
  create(font: Buffer): { characterSet: number[] }
}

const require = createRequire(import.meta.url)
const fontkit = require('fontkit') as Fontkit

const charactersOf = (font: Buffer): ReadonlySet<number> => new Set(fontkit.create(font).characterSet)

interface Fonts {
  first: Buffer
  /** For the characters that the first one does not have. It is loaded when a text has one. */
  other: { name: string; load(): Buffer }
}

/** Shown for a character that neither font has. */
const unknown = '\ufffd'
/** Characters that have no picture of their own, such as those that join or vary others. */
const invisible = /\p{Default_Ignorable_Code_Point}/u
const spaces = /\s/

/**
 * Gives the characters that the first font does not have another font, in each text of a page description: a PDF has
 * no fonts but those within it, and draws the others as empty boxes.
 */
export function scriptsOf({ first, other }: Fonts): (node: Node) => Node {
  const known = charactersOf(first)
  let others: ReadonlySet<number> | undefined

  function runsOf(text: string): string | Node[] {
    const runs: { text: string; isOther: boolean }[] = []
    for (const character of text) {
      if (invisible.test(character)) continue
      const code = character.codePointAt(0)!
      const last = runs.at(-1)
      // a space stays with what is before it: fewer runs
      const isOther = spaces.test(character) ? (last?.isOther ?? false) : !known.has(code)
      if (isOther) others ??= charactersOf(other.load())
      const drawn = isOther && !others?.has(code) && !spaces.test(character) ? unknown : character
      if (last?.isOther === isOther) last.text += drawn
      else runs.push({ text: drawn, isOther })
    }
    if (!runs.some(({ isOther }) => isOther)) return runs[0]?.text ?? ''
    return runs.map(run => ({ text: run.text, ...(run.isOther && { font: other.name }) }))
  }

  const each = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(each)
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        name === 'text' && typeof part === 'string' ? runsOf(part) : each(part),
      ]),
    )
  }
  return node => each(node) as Node
}
