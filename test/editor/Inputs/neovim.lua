-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- A user of Neovim 0.7 or later: opens a file, sees what is wrong, looks at a
-- launch, applies the fix, sees that nothing is wrong any more.
--
--   nvim --headless -u NONE --cmd 'lua command = {...}' -S neovim.lua FILE

local function say(text)
  io.stdout:write(text .. '\n')
end

local function fail(text)
  say('FAILED: ' .. text)
  vim.cmd('cquit')
end

-- Everything waits for what it needs.
local function wait(what, holds)
  if not vim.wait(60000, holds, 10) then
    fail('waited in vain for ' .. what .. '; diagnostics: ' ..
      vim.inspect(vim.diagnostic.get(0)))
  end
end

local function ours()
  return vim.tbl_filter(function(diagnostic)
    return diagnostic.source == 'coreside'
  end, vim.diagnostic.get(0))
end

local client = vim.lsp.start_client({
  name = 'coreside',
  cmd = command,
  root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(0, client)

wait('our diagnostic', function() return #ours() > 0 end)
local found = ours()[1]
say(('%d: %s [%s]'):format(found.lnum + 1, found.message:match('^[^\n]*'), found.code))

-- The launch below the call.
vim.api.nvim_win_set_cursor(0, { found.lnum + 2, 3 })
local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover',
  vim.lsp.util.make_position_params(), 60000)
for _, answer in pairs(answers or {}) do
  if answer.result then
    say('hover: ' .. answer.result.contents.value)
  end
end

-- The fix, as it is taken from the list.
vim.ui.select = function(items, _, choose)
  local chosen
  for _, item in ipairs(items) do
    local action = item[2] or item.action
    say('action: ' .. action.title)
    if action.title:match("^call 'cudaFree' after") then
      chosen = item
    end
  end
  if not chosen then
    fail('the fix is not offered')
  end
  choose(chosen)
end
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col + 1 })
local before = vim.api.nvim_buf_get_changedtick(0)
vim.lsp.buf.code_action()
wait('the edit', function()
  return vim.api.nvim_buf_get_changedtick(0) ~= before
end)
wait('the diagnostic to go', function() return #ours() == 0 end)
say('gone')
for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
  say('| ' .. line)
end
vim.lsp.stop_client(client)
wait('the server to end', function() return vim.lsp.client_is_stopped(client) end)
vim.cmd('qall!')
