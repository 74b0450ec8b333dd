import type { RenderableDocument } from './document.ts'
import { makePdf } from './make.ts'

/** Renders a report as a PDF. A program: names and texts are of customers, and a report takes seconds. */
export const run = (document: RenderableDocument): Promise<Buffer> => makePdf(document)
