import { parseDomFromString } from '@node-saml/node-saml/lib/xml.js'
import { SamlFault } from './fault.ts'
import { scanXml } from './scan.ts'

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

export const isElement = (node: XmlNode): node is XmlElement => node.nodeType === elementNode

/** The root of a document that has elements, attributes and text, and nothing else. */
export async function parseDocument(xml: string): Promise<XmlElement> {
  scanXml(xml)
  const document: { documentElement: XmlElement | null } = await parseDomFromString(xml).catch((cause: unknown) => {
    throw new SamlFault('bad_xml', 'The answer is not XML.', { cause })
  })
  const root = document.documentElement
  if (!root) throw new SamlFault('bad_xml', 'The answer is not XML.')
  for (const element of all(root))
    for (const child of Array.from(element.childNodes))
      if (!isElement(child) && child.nodeType !== textNode)
        throw new SamlFault('bad_xml', 'The answer has more than elements and text.')
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
