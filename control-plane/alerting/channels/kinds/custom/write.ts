import type { Outgoing } from '#control-plane/alerting/channels/kinds/kind.ts'
import { fill, type Parsed, parse } from './engine.ts'
import type { Values } from './value-names.ts'

/** The templates of a request. */
export interface RequestTemplate {
  method: NonNullable<Outgoing['method']>
  url: string
  headers: Record<string, string>
  content_type: string
  body_template: string
}

/** The templates among the fields of a channel. */
export const requestOf = ({ method, url, headers, content_type, body_template }: RequestTemplate): RequestTemplate => ({
  method,
  url,
  headers,
  content_type,
  body_template,
})

const longestUrl = 4_000
const longestHeader = 2_000
export const largestBody = 65_536

/** The parts of a request, each with how its template is filled. Filling throws a `TemplateFailure`. */
export const parts = {
  url: {
    parse: (text: string) => parse('address', text),
    fill: (template: Parsed, values: Values) => fill(template, values, longestUrl).replaceAll(/\s+/g, ''),
  },
  /** A header in one line, as its bytes are sent: UTF-8. */
  header: {
    parse: (text: string) => parse('text', text),
    fill(template: Parsed, values: Values) {
      const line = fill(template, values, longestHeader)
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim()
      return Buffer.from(line, 'utf8').toString('latin1')
    },
  },
  body: {
    parse: (text: string) => parse('text', text),
    fill: (template: Parsed, values: Values) => fill(template, values, largestBody),
  },
}

/** Fills the templates of a request. Throws a `TemplateFailure`. */
export function writeRequest(request: RequestTemplate, values: Values): Outgoing {
  const filled = ({ parse: read, fill: write }: (typeof parts)[keyof typeof parts], text: string) =>
    write(read(text), values)
  const headers = Object.entries(request.headers).map(([name, text]) => [name, filled(parts.header, text)] as const)
  return {
    method: request.method,
    url: filled(parts.url, request.url),
    headers: {
      ...(request.method !== 'GET' && { 'Content-Type': request.content_type }),
      ...Object.fromEntries(headers.filter(([, value]) => value !== '')),
    },
    body: request.method === 'GET' ? '' : filled(parts.body, request.body_template),
  }
}
