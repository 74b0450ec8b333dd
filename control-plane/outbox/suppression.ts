import { sql } from 'kysely'
import type { Suppression } from '#control-plane/db/model/shapes.ts'
import type { Part } from '#control-plane/db/queries.ts'
import { type FieldsSql, objectSql } from './emit.ts'

type Fields = Partial<FieldsSql<Omit<Suppression, 'called' | 'stage'>>> & { stage: Part }

/** A `Suppression`, each field a part of a statement. */
export const suppressionSql = ({ stage, by, ...is }: Fields) =>
  objectSql<Omit<Suppression, 'called'>>({
    stage,
    by: by ?? sql`null::text`,
    is_muted: sql`false`,
    is_team_notified: sql`true`,
    is_reseller_notified: sql`true`,
    ...is,
  })
