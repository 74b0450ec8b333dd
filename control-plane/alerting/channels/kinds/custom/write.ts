import type { Outgoing } from '#control-plane/alerting/channels/kinds/kind.ts'
import { fill, parse } from './engine.ts'
import type { Values } from './values.ts'

/** The templates of a request. */
export interface RequestTemplate {
  method: NonNullable<Outgoing['method']>
  url: string
  headers: Record<string, string>
  content_type: string
  body_template: string
}

const longestUrl = 4_000
const longestHeader = 2_000
export const largestBody = 65_536

/** The fields of a request, filled. Each throws a `TemplateFailure`. */
export const fillUrl = (text: string, values: Values): string =>
  fill(parse('address', text), values, longestUrl).replaceAll(/\s+/g, '')

/** A header in one line, as its bytes are sent: UTF-8. */
export function fillHeader(text: string, values: Values): string {
  const line = fill(parse('text', text), values, longestHeader)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return Buffer.from(line, 'utf8').toString('latin1')
}

export const fillBody = (text: string, values: Values): string => fill(parse('text', text), values, largestBody)

export function writeRequest(request: RequestTemplate, values: Values): Outgoing {
  const headers = Object.entries(request.headers).map(([name, text]) => [name, fillHeader(text, values)] as const)
  return {
    method: request.method,
    url: fillUrl(request.url, values),
    headers: {
      ...(request.method !== 'GET' && { 'Content-Type': request.content_type }),
      ...Object.fromEntries(headers.filter(([, value]) => value !== '')),
    },
    body: request.method === 'GET' ? '' : fillBody(request.body_template, values),
  }
}
