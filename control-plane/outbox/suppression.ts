import type { Suppression } from '#control-plane/db/model/shapes.ts'

type Sql = Partial<Record<Exclude<keyof Suppression, 'called'>, string>> & { stage: string }

/** SQL for a `Suppression`, each field an expression. */
export const suppressionSql = ({
  stage,
  by = 'null::text',
  is_muted = 'false',
  is_team_notified = 'true',
  is_reseller_notified = 'true',
}: Sql): string => `jsonb_build_object('stage', ${stage}, 'by', ${by}, 'is_muted', ${is_muted},
  'is_team_notified', ${is_team_notified}, 'is_reseller_notified', ${is_reseller_notified})`
