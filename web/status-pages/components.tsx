import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { CheckboxField, SelectField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import {
  type Component,
  type Group,
  monitorChoicesQuery,
  of,
  pageQuery,
  readPagesAgain,
  type StatusPage,
  statuses,
} from './queries.ts'

const types = ['monitor', 'group', 'static'] as const
const downStatuses = ['degraded_performance', 'partial_outage', 'major_outage'] as const

const moved = <Item,>(list: readonly Item[], from: number, to: number): Item[] => {
  const rest = list.filter((_, index) => index !== from)
  return [...rest.slice(0, to), list[from] as Item, ...rest.slice(to)]
}

/** What the page shows, in its order; each group with its own components. */
export function Components() {
  const { t } = useTranslation('status-pages')
  const { page: id } = useParams({ from: '/app/app/status-pages/$page/components' })
  const { data: page } = useSuspenseQuery(pageQuery(id))
  const [edited, setEdited] = useState<Component | 'new' | null>(null)
  const [group, setGroup] = useState<Group | 'new' | null>(null)
  const add = (
    <Button variant="primary" icon="add" onPress={() => setEdited('new')}>
      {t('component.new')}
    </Button>
  )
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('tab.components')}</h2>
        <div className="row">
          <Button icon="add" onPress={() => setGroup('new')}>
            {t('group.new')}
          </Button>
          {page.components.length > 0 && add}
        </div>
      </div>
      {page.components.length === 0 && page.groups.length === 0 ? (
        <EmptyState title={t('component.empty')} icon="monitor" action={add}>
          {t('component.empty.says')}
        </EmptyState>
      ) : (
        <>
          <Members page={page} group={null} onEdit={setEdited} />
          {page.groups.map((one, index) => (
            <GroupPart key={one.id} page={page} index={index} onEdit={setEdited} onGroup={() => setGroup(one)} />
          ))}
        </>
      )}
      {edited && (
        <ComponentDialog page={page} component={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      {group && <GroupDialog page={page} group={group === 'new' ? null : group} onClose={() => setGroup(null)} />}
    </section>
  )
}

interface MoveProps {
  name: string
  index: number
  count: number
  move(to: number): Promise<unknown>
}

/** Up and down, by pointer or keyboard; the new place is read out. */
function Move({ name, index, count, move }: MoveProps) {
  const { t } = useTranslation('status-pages')
  const put = async (to: number) => {
    try {
      await move(to)
      toast.success(t('moved', { name, place: to + 1, count }))
    } catch (error) {
      toast.failure(error as Error)
    }
  }
  return (
    <>
      <Button
        variant="quiet"
        icon="arrowUp"
        aria-label={t('move.up', { name })}
        isDisabled={index === 0}
        onPress={() => put(index - 1)}
      />
      <Button
        variant="quiet"
        icon="arrowDown"
        aria-label={t('move.down', { name })}
        isDisabled={index === count - 1}
        onPress={() => put(index + 1)}
      />
    </>
  )
}

interface PartProps {
  page: StatusPage
  index: number
  onEdit(component: Component): void
  onGroup(): void
}

function GroupPart({ page, index, onEdit, onGroup }: PartProps) {
  const { t } = useTranslation('status-pages')
  const group = page.groups[index] as Group
  const move = async (to: number) => {
    const groups = moved(page.groups, index, to).map(({ id }) => id)
    await bodyOf(api.PUT('/api/v1/status-pages/{status_page}/groups/order', { params: of(page.id), body: { groups } }))
    await readPagesAgain()
  }
  const drop = async () => {
    const params = { path: { status_page: page.id, group: group.id } }
    await bodyOf(api.DELETE('/api/v1/status-pages/{status_page}/groups/{group}', { params }))
    await readPagesAgain()
  }
  return (
    <section aria-label={group.name}>
      <div className="row spread">
        <h3>{group.name}</h3>
        <div className="row">
          <Move name={group.name} index={index} count={page.groups.length} move={move} />
          <Actions
            label={t('actions', { name: group.name })}
            actions={[
              { id: 'edit', label: t('edit'), act: onGroup },
              { id: 'delete', label: t('group.delete'), act: drop, isDanger: true },
            ]}
          />
        </div>
      </div>
      <Members page={page} group={group.id} onEdit={onEdit} />
    </section>
  )
}

function Members({
  page,
  group,
  onEdit,
}: {
  page: StatusPage
  group: string | null
  onEdit(component: Component): void
}) {
  const { t } = useTranslation('status-pages')
  const [deleted, setDeleted] = useState<Component | null>(null)
  const own = page.components.filter(({ group_id }) => group_id === group)
  const move = (from: number) => async (to: number) => {
    const others = page.components.filter(({ group_id }) => group_id !== group)
    const components = [...moved(own, from, to), ...others].map(({ id }) => ({ id }))
    await bodyOf(
      api.PUT('/api/v1/status-pages/{status_page}/components/order', { params: of(page.id), body: { components } }),
    )
    await readPagesAgain()
  }
  if (own.length === 0) return group === null ? null : <p className="soft">{t('group.empty')}</p>
  return (
    <>
      <ol className="ordered">
        {own.map((component, index) => (
          <li key={component.id}>
            <span>
              <strong>{component.name}</strong> <span className="soft">{t(`type.${component.type}`)}</span>
              {component.static_status && <span className="soft"> · {t(`status.${component.static_status}`)}</span>}
            </span>
            <span className="buttons">
              <Move name={component.name} index={index} count={own.length} move={move(index)} />
              <Actions
                label={t('actions', { name: component.name })}
                actions={[
                  { id: 'edit', label: t('edit'), act: () => onEdit(component) },
                  { id: 'delete', label: t('delete'), act: () => setDeleted(component), isDanger: true },
                ]}
              />
            </span>
          </li>
        ))}
      </ol>
      {deleted && (
        <FormDialog
          title={t('component.delete', { name: deleted.name })}
          says={t('component.delete.says')}
          submit={t('delete')}
          isDanger
          onClose={() => setDeleted(null)}
          act={async () => {
            const params = { path: { status_page: page.id, component: deleted.id } }
            await bodyOf(api.DELETE('/api/v1/status-pages/{status_page}/components/{component}', { params }))
            await readPagesAgain()
          }}
        />
      )}
    </>
  )
}

interface DialogProps {
  page: StatusPage
  component: Component | null
  onClose(): void
}

function ComponentDialog({ page, component, onClose }: DialogProps) {
  const { t } = useTranslation('status-pages')
  const monitors = useQuery(monitorChoicesQuery).data?.data ?? []
  const [draft, setDraft] = useState({
    type: component?.type ?? 'monitor',
    name: component?.name ?? '',
    description: component?.description ?? '',
    monitor_id: component?.monitor_id ?? null,
    monitor_group: component?.monitor_group ?? null,
    static_status: component?.static_status ?? null,
    group_id: component?.group_id ?? null,
    show_history: component?.show_history ?? true,
    status_when_down: component?.status_when_down ?? 'major_outage',
  })
  const put = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const save = async () => {
    const { type, ...fields } = draft
    if (component) {
      const params = { path: { status_page: page.id, component: component.id } }
      await bodyOf(api.PATCH('/api/v1/status-pages/{status_page}/components/{component}', { params, body: fields }))
    } else await bodyOf(api.POST('/api/v1/status-pages/{status_page}/components', { params: of(page.id), body: draft }))
    await readPagesAgain()
  }
  return (
    <FormDialog title={component?.name ?? t('component.new')} submit={t('save')} onClose={onClose} act={save}>
      {!component && (
        <SelectField
          label={t('component.type')}
          name="type"
          choices={types.map(id => ({ id, label: t(`type.${id}`), description: t(`type.${id}.says`) }))}
          value={draft.type}
          onChange={type =>
            put({
              type,
              monitor_id: null,
              monitor_group: null,
              static_status: type === 'static' ? 'operational' : null,
            })
          }
        />
      )}
      {draft.type === 'monitor' && (
        <SelectField
          label={t('type.monitor')}
          name="monitor_id"
          isRequired
          choices={monitors.map(({ id, name }) => ({ id, label: name }))}
          value={draft.monitor_id}
          onChange={chosen =>
            put({
              monitor_id: chosen,
              name: draft.name || (monitors.find(({ id }) => id === chosen)?.name ?? ''),
            })
          }
        />
      )}
      {draft.type === 'group' && (
        <TextField
          label={t('component.monitor_group')}
          name="monitor_group"
          isRequired
          value={draft.monitor_group ?? ''}
          onChange={name => put({ monitor_group: name })}
        />
      )}
      {draft.type === 'static' && (
        <SelectField
          label={t('component.static_status')}
          name="static_status"
          choices={statuses.map(id => ({ id, label: t(`status.${id}`) }))}
          value={draft.static_status}
          onChange={status => put({ static_status: status })}
        />
      )}
      <TextField
        label={t('component.name')}
        name="name"
        isRequired
        value={draft.name}
        onChange={name => put({ name })}
      />
      <TextField
        label={t('field.description')}
        name="description"
        value={draft.description}
        onChange={description => put({ description })}
      />
      <SelectField
        label={t('component.group')}
        name="group_id"
        choices={[{ id: '', label: t('group.none') }, ...page.groups.map(({ id, name }) => ({ id, label: name }))]}
        value={draft.group_id ?? ''}
        onChange={chosen => put({ group_id: chosen || null })}
      />
      {draft.type !== 'static' && (
        <>
          <SelectField
            label={t('component.status_when_down')}
            name="status_when_down"
            choices={downStatuses.map(id => ({ id, label: t(`status.${id}`) }))}
            value={draft.status_when_down}
            onChange={status => put({ status_when_down: status })}
          />
          <CheckboxField
            label={t('component.show_history')}
            name="show_history"
            isSelected={draft.show_history}
            onChange={isShown => put({ show_history: isShown })}
          />
        </>
      )}
    </FormDialog>
  )
}

function GroupDialog({ page, group, onClose }: { page: StatusPage; group: Group | null; onClose(): void }) {
  const { t } = useTranslation('status-pages')
  const [name, setName] = useState(group?.name ?? '')
  const [isOpen, setOpen] = useState(group?.is_open ?? false)
  const save = async () => {
    const body = { name, is_open: isOpen }
    if (group) {
      const params = { path: { status_page: page.id, group: group.id } }
      await bodyOf(api.PATCH('/api/v1/status-pages/{status_page}/groups/{group}', { params, body }))
    } else await bodyOf(api.POST('/api/v1/status-pages/{status_page}/groups', { params: of(page.id), body }))
    await readPagesAgain()
  }
  return (
    <FormDialog title={group?.name ?? t('group.new')} submit={t('save')} onClose={onClose} act={save}>
      <TextField label={t('component.name')} name="name" isRequired autoFocus value={name} onChange={setName} />
      <CheckboxField label={t('group.is_open')} name="is_open" isSelected={isOpen} onChange={setOpen} />
    </FormDialog>
  )
}
