/**
 * What a page does with a script. Every 30 seconds it asks for itself, and takes over what has changed, keeping open
 * what the reader has opened. Each history is one stop of the keyboard: the arrow keys, Home and End say one bar after
 * the other, as the pointer does, and Enter opens the table of days. Without it the page is complete, and reloads
 * itself once a minute. `i` is the number of a bar from the newest one on.
 */
export const pageScript = `(()=>{
let main=document.querySelector('main'),live=document.getElementById('live')
const day=(to,ago)=>new Date(Date.parse(to)-ago*864e5).toLocaleDateString(
document.documentElement.lang.replace('en','en-GB'),{timeZone:'UTC',day:'numeric',month:'short',year:'numeric'})
const bars=()=>[...main.querySelectorAll('svg[data-to]')]
const set=(e,all)=>{for(const n in all)e.setAttribute(n,all[n])}
const say=(svg,n,i)=>{
i=Math.max(0,Math.min(n-1,i))
const {to,each=1}=svg.dataset,from=i*each,until=from+ +each,says=new Set()
const {tHead,tBodies}=svg.parentNode.querySelector('table');let at=0
for(const {cells,dataset} of tBodies[0].rows){
const next=at+(+dataset.n||1)
if(at<until&&next>from)says.add([...cells].flatMap((c,k)=>
k&&c.textContent?tHead.rows[0].cells[k].textContent+': '+c.textContent:[]).join(', '))
at=next}
const last=Math.min(at,until)-1
const text=(last>from?day(to,last)+' – ':'')+day(to,from)+'. '+[...says].join('; ')
svg.dataset.at=i
set(svg,{'aria-valuenow':n-i,'aria-valuetext':text})
svg.nextElementSibling.dataset.at=text
set(svg.querySelector('.cur')||svg.appendChild(document.createElementNS(svg.namespaceURI,'path')),
{class:'cur',d:'M'+((n-1-i)*4+1.5)+' 0v32'})}
const walk={ArrowLeft:i=>i+1,ArrowRight:i=>i-1,Home:()=>999,End:()=>0}
const prepare=()=>{for(const svg of bars()){
const n=(svg.viewBox.baseVal.width+1)/4,at=()=>+svg.dataset.at||0
set(svg,{role:'slider',tabindex:0,'aria-readonly':true,'aria-valuemin':1,'aria-valuemax':n,'aria-valuenow':n})
svg.onfocus=()=>say(svg,n,at())
svg.onblur=svg.onpointerleave=()=>{delete svg.nextElementSibling.dataset.at;svg.querySelector('.cur')?.remove()}
svg.onpointermove=e=>{const b=svg.getBoundingClientRect();say(svg,n,n-1-Math.floor((e.clientX-b.x)/b.width*n))}
svg.onkeydown=e=>{
const d=svg.parentNode.querySelector('.days')
if(e.key==='Enter')d.open=!d.open
else if(walk[e.key]&&!e.altKey){e.preventDefault();say(svg,n,walk[e.key](at()))}}}}
prepare()
const state=m=>m.querySelector('h1').textContent.trim()
setInterval(async()=>{
const a=document.activeElement
if(document.hidden||main.contains(a)&&a.matches('input,button'))return
try{
const got=await fetch(location.href,{headers:{'If-None-Match':main.dataset.tag}})
if(got.status!==200)return
const next=new DOMParser().parseFromString(await got.text(),'text/html').querySelector('main')
if(!next||!next.dataset.tag)return
const b=document.activeElement,nth=bars().indexOf(b),at=b.closest('details[id]')
const href=main.contains(b)&&b.getAttribute('href'),before=state(main)
for(const d of main.querySelectorAll('details[id]')){const e=next.querySelector('#'+d.id);if(e)e.open=d.open}
main.replaceWith(next);main=next
prepare()
const svg=bars()[nth]
if(svg){svg.dataset.at=b.dataset.at;svg.focus()}
else if(href)[...main.querySelectorAll('a')].find(l=>l.getAttribute('href')===href)?.focus()
else if(at)document.getElementById(at.id)?.querySelector('summary').focus()
if(state(main)!==before)live.textContent=live.dataset.says+' '+state(main)
}catch{}
},30000)})()`
