import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from '#control-plane/http/openapi/document.ts'
import { endpoints } from '#control-plane/rooms.ts'

/** The committed document names no installation: each serves its own address. */
const anyInstallation = 'http://localhost:8080'

export const openapiText = () => `${JSON.stringify(describe(endpoints, anyInstallation), null, 2)}\n`

export function openapi({ isWritten }: { isWritten: boolean }): void {
  if (isWritten) writeFileSync(join(import.meta.dirname, '..', '..', 'contract', 'openapi.json'), openapiText())
  else process.stdout.write(openapiText())
}
