import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setProvider } from '#test/control-plane/identity/sso/scene.ts'
import { addTo, aPage } from '#test/control-plane/publishing/status-pages/pages.ts'
import { given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const previewOf = ({ page }: AppPage) => page.frameLocator('iframe[title="The status page as visitors see it"]')

test('a person creates a page, sees a change in the preview before it is saved, and publishes it', async () => {
  const person = await given.tenant({ plan: 'pro' })
  const opened = await AppPage.open(browser, person, '/app/status-pages')
  const { page } = opened
  await page.getByText('No status page yet').waitFor()
  await opened.examine('status-pages-empty')
  await page.getByRole('button', { name: 'New status page' }).first().click()
  const slug = `bakery-${crypto.randomUUID()}`
  await page.getByLabel('Name').fill('Bakery Blume')
  await page.getByLabel('Address').fill(slug)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bakery Blume' }).waitFor()
  await previewOf(opened).getByRole('link', { name: 'Bakery Blume' }).waitFor()
  await page.getByLabel('Announcement').fill('We move on Sunday.')
  await previewOf(opened).getByText('We move on Sunday.').waitFor()
  const [unsaved] = (await person.get('/status-pages')).body.data
  expect(unsaved).toMatchObject({ slug, state: 'draft', texts: {} })
  await page.getByLabel('Colour').fill('blue')
  await page.getByText('Must be a colour such as #1f6feb.').waitFor()
  await page.getByLabel('Colour').fill('#7a1f5c')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await page.getByText('The page is published.').waitFor()
  await opened.close()
  const [saved] = (await person.get('/status-pages')).body.data
  expect(saved).toMatchObject({
    state: 'published',
    primary_color: '#7a1f5c',
    texts: { en: { announcement: 'We move on Sunday.' } },
  })
})

test('components are ordered by the keyboard, and an incident is posted, updated and resolved', async () => {
  const person = await given.tenant({ plan: 'pro' })
  const { id } = await aPage(person)
  for (const name of ['Shop', 'Office'])
    await addTo(person, `${id}/components`, { type: 'static', static_status: 'operational', name })
  const opened = await AppPage.open(browser, person, `/app/status-pages/${id}/components`)
  const { page } = opened
  await page.getByRole('button', { name: 'Move Office up' }).press('Enter')
  await page.getByText('Office is now number 1 of 2.').waitFor()
  const names = (await person.get(`/status-pages/${id}/components`)).body.data.map((one: { name: string }) => one.name)
  expect(names).toEqual(['Office', 'Shop'])
  await page.getByRole('link', { name: 'Posts' }).click()
  await page.getByRole('button', { name: 'New post' }).first().click()
  await page.getByLabel('Title').fill('The shop is slow')
  await page.getByLabel(/^Text/).fill('We **look** into it.')
  await page.getByRole('region', { name: 'Preview of the text' }).locator('strong').waitFor()
  await opened.examine('status-pages-post-new')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('link', { name: 'The shop is slow' }).click()
  await page.getByRole('button', { name: /Phase/ }).click()
  await page.getByRole('option', { name: 'Resolved' }).click()
  await page.getByLabel(/^Text/).fill('It is fast again.')
  await page.getByRole('button', { name: 'Post the update' }).click()
  await page.getByRole('heading', { name: 'Postmortem' }).waitFor()
  await opened.examine('status-pages-post')
  await opened.close()
  const [post] = (await person.get(`/status-pages/${id}/posts`)).body.data
  expect(post).toMatchObject({ title: 'The shop is slow', phase: 'resolved' })
})

test.each(['en-GB', 'de-DE'] as const)(
  'a page is given to people of the provider of the team, once it has one: %s',
  async locale => {
    const person = await given.tenant({ plan: 'pro' })
    const { id } = await aPage(person)
    const opened = await AppPage.open(browser, person, `/app/status-pages/${id}/access`, { locale })
    const { page } = opened
    const said = {
      'en-GB': { mode: /Who may see the page/, save: 'Save', saved: 'Saved.', needs: /Visitors become no members/ },
      'de-DE': {
        mode: /Wer die Seite sehen darf/,
        save: 'Speichern',
        saved: 'Gespeichert.',
        needs: /keine Mitglieder/,
      },
    }[locale]
    await page.getByRole('button', { name: said.mode }).click()
    await page.getByRole('option', { name: /^Single [Ss]ign-on/ }).click()
    await page.getByText(said.needs).waitFor()
    await page.getByRole('button', { name: said.save }).click()
    await page.getByText(/sso.*: (?:see|siehe) \/sso\/config/).waitFor()
    await opened.examine(`status-pages-access-sso-${locale}`)
    await setProvider(person, { issuer: 'https://login.example.com', clientId: 'vedette', clientSecret: 'secret' })
    await page.reload()
    await page.getByRole('button', { name: said.mode }).click()
    await page.getByRole('option', { name: /^Single [Ss]ign-on/ }).click()
    await page.getByRole('button', { name: said.save }).click()
    await page.getByText(said.saved).waitFor()
    await opened.close()
    expect((await person.get(`/status-pages/${id}`)).body.data.access).toBe('sso')
  },
)
