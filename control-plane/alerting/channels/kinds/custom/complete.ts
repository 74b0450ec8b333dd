import { type Preset, presets } from './presets.ts'

type Fields = Readonly<Record<string, unknown>>
const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null

export const presetOf = (name: unknown): Preset | undefined =>
  Object.entries(presets).find(([known]) => known === name)?.[1]

/** Fills in what was not sent from the preset that was. A GET request has no body. */
export function complete(sent: Fields): Record<string, unknown> {
  const preset = presetOf(sent.preset)
  if (!preset) return sent.method === 'GET' ? { body_template: '', ...sent } : { ...sent }
  const { url: address, method, headers, content_type, body_template } = preset
  const url = sent.url === undefined ? address : urlAt(sent.url, address)
  return {
    method,
    content_type,
    body_template,
    ...sent,
    ...(url !== null && { url }),
    headers: isRecord(sent.headers) || sent.headers === undefined ? { ...headers, ...sent.headers } : sent.headers,
  }
}

/** The address of a preset at another host, where only a host is named. */
function urlAt(sent: unknown, address: string | null): unknown {
  const host = typeof sent === 'string' ? /^(https?:\/\/[^\s\\{}/?#]+)\/?$/i.exec(sent)?.[1] : undefined
  return host === undefined || address === null ? sent : address.replace(/^https?:\/\/[^/]+/, host)
}
