import { z } from 'zod'
import { mailLanguages } from '#control-plane/alerting/mail/words.ts'
import { pdf } from '#control-plane/http/reply.ts'
import type { ReportDocument } from './pdf/document.ts'

export const languageQuery = {
  language: z.enum(mailLanguages).optional().meta({ description: 'By default that of the caller’s profile.' }),
}

export const reportPdf = pdf<ReportDocument>({
  'Content-Disposition': 'attachment; filename="report.pdf"',
  'Cache-Control': 'private, no-cache',
})
