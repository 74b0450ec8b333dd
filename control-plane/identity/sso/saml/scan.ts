import { SamlFault } from './fault.ts'

/**
 * Limits of an answer, seen before any parser: parsers take quadratic time for what is nested wrongly, and signatures
 * are computed once for each certificate. A person in 900 groups has 1,900 tags.
 */
const limits = { tags: 4_000, depth: 50, namespaces: 100, attributes: 4_000 }

const declaration = /^\s*<\?xml\s[^<>?]*\?>/

/**
 * Refuses a text that has anything but elements, attributes and text, or too many of them, or elements that are not
 * nested. It does not say that the text is XML. Linear in the length of the text.
 */
export function scanXml(xml: string): void {
  const text = xml.replace(declaration, '')
  const left = { ...limits }
  let depth = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const kind = text[at + 1]
    // what parsers have read differently: document types, entities, comments, CDATA, instructions
    if (kind === '!' || kind === '?')
      throw new SamlFault('bad_xml', 'The answer has a document type, a comment, CDATA or an instruction.')
    const end = endOf(text, at, left)
    if (--left.tags < 0) throw tooMany()
    if (kind === '/') depth--
    else if (text[end - 1] !== '/') depth++
    if (depth > limits.depth) throw new SamlFault('bad_xml', 'The answer is nested too deeply.')
    if (depth < 0) throw new SamlFault('bad_xml', 'The answer is not XML.')
    at = end + 1
  }
  if (depth !== 0) throw new SamlFault('bad_xml', 'The answer is not XML.')
}

const tooMany = () => new SamlFault('bad_xml', 'The answer has too many elements, attributes or namespaces.')

/** Where the tag that begins at `at` ends; a `>` within the value of an attribute ends none. */
function endOf(text: string, at: number, left: { namespaces: number; attributes: number }): number {
  for (let place = at + 1; place < text.length; place++) {
    const character = text[place]
    if (character === '>') return place
    if (character === '<') break
    if (character !== '"' && character !== "'") continue
    const closing = text.indexOf(character, place + 1)
    if (closing === -1) break
    if (--left.attributes < 0) throw tooMany()
    if (
      /xmlns(?::[^\s=]{1,200})?\s{0,20}=\s{0,20}$/.test(text.slice(Math.max(at, place - 250), place)) &&
      --left.namespaces < 0
    )
      throw tooMany()
    place = closing
  }
  throw new SamlFault('bad_xml', 'The answer is not XML.')
}
