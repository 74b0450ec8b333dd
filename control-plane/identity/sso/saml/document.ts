import { parseDomFromString } from '@node-saml/node-saml/lib/xml.js'
import { SamlFault } from './fault.ts'

/** What is read of a node: text and elements are all that remains after `parseDocument`. */
export interface XmlNode {
  nodeType: number
  nodeValue: string | null
}
export interface XmlElement extends XmlNode {
  localName: string
  namespaceURI: string | null
  parentNode: XmlNode | null
  childNodes: ArrayLike<XmlNode>
  attributes: ArrayLike<{ localName: string; value: string }>
  getAttribute(name: string): string | null
}

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const
export type Namespace = keyof typeof namespaces

const elementNode = 1
const textNode = 3
const declaration = /^\s*<\?xml\s[^<>?]*\?>/
const deepest = 50
const mostElements = 5_000

export const isElement = (node: XmlNode): node is XmlElement => node.nodeType === elementNode

/**
 * The root of a document that has elements, attributes and text, and nothing else: what parsers have read differently
 * (document types, entities, comments, CDATA, processing instructions) is refused before any of them reads it.
 */
export async function parseDocument(xml: string): Promise<XmlElement> {
  if (/<[!?]/.test(xml.replace(declaration, '')))
    throw new SamlFault('bad_xml', 'The answer has a document type, a comment, CDATA or an instruction.')
  const document: { documentElement: XmlElement | null } = await parseDomFromString(xml).catch((cause: unknown) => {
    throw new SamlFault('bad_xml', 'The answer is not XML.', { cause })
  })
  const root = document.documentElement
  if (!root) throw new SamlFault('bad_xml', 'The answer is not XML.')
  let left = mostElements
  const visit = (element: XmlElement, depth: number): void => {
    if (depth > deepest || --left < 0) throw new SamlFault('bad_xml', 'The answer has too many elements.')
    for (const child of Array.from(element.childNodes)) {
      if (isElement(child)) visit(child, depth + 1)
      else if (child.nodeType !== textNode)
        throw new SamlFault('bad_xml', 'The answer has more than elements and text.')
    }
  }
  visit(root, 0)
  return root
}

export const is = (element: XmlElement, namespace: Namespace, name: string): boolean =>
  element.localName === name && element.namespaceURI === namespaces[namespace]

/** An element and all within it. */
export function* all(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of elementsIn(element)) yield* all(child)
}

export const elementsIn = (element: XmlElement): XmlElement[] => Array.from(element.childNodes).filter(isElement)

export const children = (element: XmlElement, namespace: Namespace, name: string): XmlElement[] =>
  elementsIn(element).filter(child => is(child, namespace, name))

/** The one child of this name, or a fault. */
export function child(element: XmlElement, namespace: Namespace, name: string): XmlElement {
  const found = children(element, namespace, name)
  if (found.length !== 1 || !found[0])
    throw new SamlFault('bad_structure', `${element.localName} must have one ${name}, and has ${found.length}.`)
  return found[0]
}

/** The text of an element that has nothing but text. */
export function textOf(element: XmlElement): string {
  if (elementsIn(element).length > 0)
    throw new SamlFault('bad_structure', `${element.localName} must have nothing but text.`)
  return Array.from(element.childNodes, ({ nodeValue }) => nodeValue ?? '')
    .join('')
    .trim()
}
