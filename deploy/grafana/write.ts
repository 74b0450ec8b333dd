import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardFiles } from './dashboards.ts'

for (const [name, text] of dashboardFiles()) writeFileSync(join(import.meta.dirname, name), text)
