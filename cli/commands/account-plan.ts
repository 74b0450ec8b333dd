import { StartFault } from '#cli/fault.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { changeTenant } from '#control-plane/reselling/tenants/update.ts'
import { noPlan, readPlan } from './account.ts'
import { withServices } from './with-services.ts'

const usage = `vedette account plan SLUG ${noPlan}`

/** Gives a tenant, named by slug or id, a plan or none. It applies at once. */
export async function changePlan(env: NodeJS.ProcessEnv, { tenant, plan }: { tenant: string; plan: string }) {
  const wanted = plan === noPlan ? { is_unlimited: true } : { plan: readPlan(plan) }
  await withServices(env, async ({ platform }) => {
    const [found] = await rows(platform)<Row<'tenants', 'id' | 'name'>>`
        select id, name from tenants where (slug = ${tenant} or id::text = ${tenant}) and deleted_at is null`
    if (!found)
      throw new StartFault('config', `there is no tenant "${tenant}"`, 'It is named by its slug or its id.', usage)
    try {
      await inTransaction(platform, client => changeTenant(client, found.id, wanted))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const why = Object.values(error.errors ?? {}).flat()
      throw new StartFault('config', `the plan of "${found.name}" stays`, why.join(' ') || error.message, usage)
    }
    console.log(`${found.name}  ${plan}`)
  })
}
