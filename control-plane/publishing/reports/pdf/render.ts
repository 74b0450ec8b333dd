import type { Services } from '#control-plane/http/services.ts'
import type { ReportDocument } from './document.ts'
import { logosOf } from './logo.ts'
import { type RenderedPdf, rendererOf } from './renderer.ts'

/** The PDF of a report. Waits for the network and for a thread: call it outside of transactions. */
export async function renderReport(
  { tenantId, ...document }: ReportDocument,
  services: Services,
): Promise<RenderedPdf> {
  const logo = await logosOf(services).load(document.brand.logoUrl)
  return rendererOf(services).render(tenantId, { ...document, logo })
}
