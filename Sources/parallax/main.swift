import ParallaxCommands

ParallaxTool.main()
