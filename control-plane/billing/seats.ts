import { type Db, rows } from '#control-plane/db/queries.ts'

/** The members of a team who take a seat: at least one. */
export async function seatsOf(client: Db, tenantId: string): Promise<number> {
  const [row] = await rows(client)<{ seats: number }>`
    select greatest(1, count(*))::int as seats from memberships m
    join users u on u.id = m.user_id and not u.is_service where m.tenant_id = ${tenantId}`
  return row!.seats
}
