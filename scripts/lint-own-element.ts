/**
 * A browser's translation replaces text nodes. React then fails to update a text node beside another node, or to insert before
 * it, so such a text needs an element of its own.
 */
type Node = { type: string; [key: string]: unknown }
type Context = { report: (found: { node: Node; message: string }) => void }

const message = 'A text beside something else needs an element of its own: a translated page cannot change it otherwise.'
/** Names of values that hold text; a call returns text unless it returns a list or an element. */
const textNames = /^(?:.*(?:children|text|title|label|words?|name|hint|caption|message|email|phone|lead)|count)$/i

function checkChildren(context: Context, { children }: Node) {
  const shown = (children as Node[]).filter((child) => !isNothing(child))
  if (shown.length < 2) return
  for (const node of shown) if (mayBeText(node)) context.report({ node, message })
}

function isNothing({ type, value, expression }: Node) {
  // A line break between elements is no text, and a blank is never translated.
  if (type === 'JSXText') return !/\S/.test(String(value))
  if (type !== 'JSXExpressionContainer') return false
  const { type: kind, value: given } = expression as Node
  return kind === 'JSXEmptyExpression' || (kind === 'Literal' && !/\S/.test(String(given)))
}

function mayBeText(node: Node): boolean {
  const inner = (key: string) => mayBeText(node[key] as Node)
  switch (node.type) {
    case 'JSXText':
    case 'TemplateLiteral':
    case 'BinaryExpression':
      return true
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number'
    case 'JSXExpressionContainer':
    case 'TSAsExpression':
    case 'ChainExpression':
      return inner('expression')
    case 'ConditionalExpression':
      return inner('consequent') || inner('alternate')
    case 'LogicalExpression':
      return inner('right') || (node.operator !== '&&' && inner('left'))
    case 'Identifier':
      return textNames.test(String(node.name))
    case 'MemberExpression':
      return inner('property')
    case 'CallExpression':
      return !/^(?:map|flatMap|from|cell|children|button|timeField)$/.test(nameOf(node.callee as Node))
    default:
      return false
  }
}

function nameOf(callee: Node): string {
  return callee.type === 'MemberExpression' ? nameOf(callee.property as Node) : String(callee.name)
}

const ownElement = {
  create: (context: Context) => ({
    JSXElement: (node: Node) => checkChildren(context, node),
    JSXFragment: (node: Node) => checkChildren(context, node),
  }),
}

export default { meta: { name: 'guichet' }, rules: { 'own-element': ownElement } }
