export { createMigration } from './create.ts'
export { getCutoverReadiness } from './cutover-readiness.ts'
export { getMigration } from './get.ts'
export { listMigrations } from './list.ts'
export { listDivergences } from './list-divergences.ts'
export { listMigrationItems } from './list-items.ts'
export {
  cancelMigration,
  cutOverMigration,
  importMigration,
  previewMigration,
  rollBackMigration,
  startMigrationShadow,
} from './steps.ts'
export { uploadMigrationFile } from './upload.ts'
