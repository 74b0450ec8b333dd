import { applyTemplate } from './apply.ts'
import { createTemplate } from './create.ts'
import { deleteTemplate } from './delete.ts'
import { getTemplate } from './get.ts'
import { listTemplates } from './list.ts'
import { updateTemplate } from './update.ts'

export const monitorTemplates = [
  listTemplates,
  createTemplate,
  getTemplate,
  updateTemplate,
  deleteTemplate,
  applyTemplate,
]
