import { z } from 'zod'
import { line, text } from '#contract/line.ts'
import { phases } from '#contract/status-page.ts'
import { placeholderNames, unknownPlaceholder } from './placeholders.ts'

const names = placeholderNames.map(name => `{{${name}}}`).join(', ')

const withPlaceholders = (given: string, context: z.core.$RefinementCtx<string>): void => {
  const unknown = unknownPlaceholder(given)
  if (unknown !== undefined)
    context.addIssue({ code: 'custom', message: `{{${unknown}}} stands for nothing. There are ${names}.` })
}

const fields = {
  name: line(255),
  phase: z.enum(phases),
  title: line(255)
    .superRefine(withPlaceholders)
    .nullable()
    .meta({ description: 'For the first update of an incident.' }),
  body: text(10_000, 1)
    .superRefine(withPlaceholders)
    .meta({ description: `Markdown, with the placeholders ${names}.` }),
}

export const NewTemplate = z
  .object({ ...fields, title: fields.title.default(null) })
  .meta({ id: 'NewStatusPageTemplate' })
export const TemplateChanges = z.object(fields).partial().meta({ id: 'StatusPageTemplateChanges' })
