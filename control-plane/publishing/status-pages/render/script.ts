/**
 * What a page does with a script: every 30 seconds it asks for itself, and takes over what has changed, keeping open
 * what the reader has opened. Without it the page is complete, and reloads itself once a minute.
 */
export const refreshScript = `(()=>{
let main=document.querySelector('main'),live=document.getElementById('live')
const state=m=>m.querySelector('h1').textContent.trim()
setInterval(async()=>{
if(document.hidden||main.contains(document.activeElement)&&document.activeElement.matches('input,button'))return
try{
const got=await fetch(location.href,{headers:{'If-None-Match':main.dataset.tag}})
if(got.status!==200)return
const next=new DOMParser().parseFromString(await got.text(),'text/html').querySelector('main')
if(!next||!next.dataset.tag)return
const open=new Map([...main.querySelectorAll('details[id]')].map(d=>[d.id,d.open]))
const a=document.activeElement,at=a.closest('details[id]'),href=main.contains(a)&&a.getAttribute('href')
const before=state(main)
for(const d of next.querySelectorAll('details[id]'))if(open.has(d.id))d.open=open.get(d.id)
main.replaceWith(next);main=next
if(href)[...main.querySelectorAll('a')].find(b=>b.getAttribute('href')===href)?.focus()
else if(at)document.getElementById(at.id)?.querySelector('summary').focus()
if(state(main)!==before)live.textContent=live.dataset.says+' '+state(main)
}catch{}
},30000)})()`
