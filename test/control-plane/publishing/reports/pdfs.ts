import { request } from 'undici'
import { extractText, getDocumentProxy } from 'unpdf'
import { app, type CallerUnderTest } from '#test/support/app.ts'

export interface Pdf {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

/** A PDF of the API: its bytes would not survive as text. */
export async function fetchPdf(caller: CallerUnderTest, path: string, headers: Record<string, string> = {}) {
  const response = await request(`${app.baseUrl}/api/v1${path}`, {
    headers: {
      'X-Forwarded-For': caller.ip,
      ...(caller.token && { Authorization: `Bearer ${caller.token}` }),
      ...headers,
    },
  })
  const bytes = Buffer.from(await response.body.arrayBuffer())
  return { status: response.statusCode, headers: response.headers, bytes }
}

export interface ReadPdf {
  text: string
  pages: number
  language: string | null
  title: unknown
}

/** What a reader shows of a PDF: its text without line breaks, its language and title. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const { text, totalPages } = await extractText(document, { mergePages: true })
  const { info } = await document.getMetadata()
  return {
    text: text.replaceAll(/\s+/g, ' '),
    pages: totalPages,
    language: (info as { Language?: string }).Language ?? null,
    title: (info as { Title?: string }).Title,
  }
}

/** What would act in a reader: scripts, actions at opening, attached files, links and forms. */
export async function actionsIn(bytes: Uint8Array): Promise<unknown[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const found: unknown[] = [
    await document.getJSActions(),
    await document.getOpenAction(),
    await document.getAttachments(),
  ]
  for (let number = 1; number <= document.numPages; number++)
    found.push(...(await (await document.getPage(number)).getAnnotations()))
  return found.filter(each => each !== null && each !== undefined)
}
