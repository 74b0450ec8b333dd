import type { Call } from '../calls.ts'

/** A call as a line for a shell, which has the token in `$TOKEN`. */
export function curlOf({ method, url, body, file, tenant }: Call): string {
  const parts = [
    method === 'GET' ? `curl ${quoted(url)}` : `curl -X ${method} ${quoted(url)}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(tenant === undefined ? [] : [`-H ${quoted(`X-Tenant-Id: ${tenant}`)}`]),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
    ...(file === undefined ? [] : [`-H ${quoted(`Content-Type: ${file}`)}`, '--data-binary @file']),
  ]
  return parts.join(' \\\n  ')
}

/** Nothing in single quotes is special to a shell but the quote itself. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
