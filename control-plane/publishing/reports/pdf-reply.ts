import { z } from 'zod'
import { ConcurrencyLimit } from '#control-plane/base/concurrency-limit.ts'
import { pdf } from '#control-plane/http/reply.ts'
import { languages } from '#locales/languages.ts'
import type { ReportDocument } from './pdf/document.ts'

export const languageQuery = {
  language: z.enum(languages).optional().meta({ description: 'By default that of the caller’s profile.' }),
}

/** Reading a month takes both stores some hundred milliseconds: reports that begin together would stop all others. */
export const reportLimit = new ConcurrencyLimit({ atOnce: 1, waiting: 40, waitingOfKey: 20 })

export const reportPdf = pdf<ReportDocument>({ 'Content-Disposition': 'attachment; filename="report.pdf"' })
