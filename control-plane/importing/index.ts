import { createMigration } from './create.ts'
import { getCutoverReadiness } from './cutover-readiness.ts'
import { getMigration } from './get.ts'
import { listMigrations } from './list.ts'
import { listDivergences } from './list-divergences.ts'
import { listMigrationItems } from './list-items.ts'
import {
  cancelMigration,
  cutOverMigration,
  importMigration,
  previewMigration,
  rollBackMigration,
  startMigrationShadow,
} from './steps.ts'
import { uploadMigrationFile } from './upload.ts'

export const migrations = [
  listMigrations,
  createMigration,
  getMigration,
  uploadMigrationFile,
  previewMigration,
  listMigrationItems,
  importMigration,
  startMigrationShadow,
  listDivergences,
  getCutoverReadiness,
  cutOverMigration,
  rollBackMigration,
  cancelMigration,
]
